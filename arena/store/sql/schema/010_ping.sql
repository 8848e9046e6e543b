-- Pings: the tiny calls by which a workspace is checked. They answer nothing that was planned.

create table ping (
    -- A row per attempt at a call of a check; paid for like any other, and never judged.
    key             text not null primary key,
    speaker         text not null check (speaker in ('agent', 'user', 'judge')),
    entrant         text not null,
    entrant_digest  text not null,
    attempt         integer not null,       -- from 1, within one check
    status          text not null,
    model_asked     text not null,
    model_returned  text,
    host            text,
    tokens_in       bigint,                 -- null: the provider did not say
    tokens_out      bigint,
    cost            decimal(18, 9),         -- null: unknown, never 0
    currency        text,
    latency_ms      bigint,
    error           text,
    run             text not null,
    ended_at        text not null
);
