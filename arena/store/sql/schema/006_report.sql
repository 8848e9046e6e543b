-- Reports that stand beside boards. Rows are added, never updated.

create table report (
    -- A row per report as it was computed, of one suite, mode and data cut.
    key             text not null primary key,
    kind            text not null check (kind in ('diagnosis')),
    suite           text not null,
    suite_version   text not null,
    mode            text not null,
    data_cut        text not null,          -- JSON list of domains; empty: all of them
    board_digest    text,                   -- data_digest of the board beside it; null: none then
    document        text not null,          -- JSON, schema arena.diagnosis/1
    run             text not null,
    ended_at        text not null
);
