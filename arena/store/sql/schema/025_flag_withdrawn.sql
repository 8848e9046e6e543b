-- Decisions about red flags that their person took back. Rows are added, never updated.

create table flag_withdrawn (
    -- A row per decision that was taken back: it stays, and the one before it counts again.
    flag            text not null,
    person          text not null,
    decided_at      text not null,
    run             text not null,
    withdrawn_at    text not null,
    primary key (flag, person, decided_at)
);
