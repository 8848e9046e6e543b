-- Commentary: what a judge says freely of a transcript and of the scores that it gave it.

create table commentary (
    -- A row per attempt of a judge to comment on a transcript and its scores; never scored.
    key             text not null,
    attempt         integer not null,
    transcript      text not null,
    judge           text not null,
    judge_digest    text not null,
    template        text not null,          -- digests of what the judge is told
    rubric          text not null,
    notes           text not null,
    cut             text not null,
    scores          text not null,          -- digest of the sheets that it is shown
    status          text not null,
    text            text not null,
    flags           text not null,          -- JSON list
    call            text not null,
    run             text not null,
    ended_at        text not null,
    primary key (key, attempt)
);

-- A check cannot be widened in place: the rows move through a table of the session.
create temp table call_before as from call;
drop table call;
create table call (
    -- A row per attempt at a call, successful or not. It serves one transcript, sheet,
    -- verdict or commentary.
    key             text not null primary key,
    serves          text not null,
    serves_kind     text not null check (
        serves_kind in ('transcript', 'sheet', 'verdict', 'commentary')
    ),
    speaker         text not null check (speaker in ('agent', 'user', 'judge')),
    entrant         text not null,
    entrant_digest  text not null,
    round           integer not null,       -- of the dialogue from 1; 0 for a whole transcript
    attempt         integer not null,       -- from 1, over all runs
    status          text not null check (
        status in ('ok', 'unparsed', 'truncated', 'empty', 'refused', 'blocked', 'error')
    ),
    text            text,                   -- the reply as it came, thinking included
    thinking        text,                   -- what the provider returned apart from the text
    finish_reason   text,
    model_asked     text not null,
    model_returned  text,
    host            text,
    params_sent     text not null,          -- JSON
    params_dropped  text not null,          -- JSON
    prompt_digest   text not null,
    tokens_in       bigint,                 -- null: the provider did not say
    tokens_out      bigint,
    cost            decimal(18, 9),         -- null: unknown, never 0
    currency        text,
    latency_ms      bigint,
    error           text,
    complaint       text,                   -- why the reply could not be read
    run             text not null,
    ended_at        text not null
);
insert into call from call_before;
drop table call_before;
