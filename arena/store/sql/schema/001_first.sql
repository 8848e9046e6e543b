-- Tables of the first schema. Natural keys carry every column that identifies a row; `key` is the
-- digest of them, made by arena.domain. Rows are added, never updated.

create table run (
    -- A row per command that may write: who wrote what is here, and with which settings.
    run             text not null primary key,
    command         text not null,
    version         text not null,          -- of arena
    seed            bigint not null,
    note            text not null,
    started_at      text not null           -- UTC, ISO 8601, like every time here
);

create table entrant (
    -- A row per agent or judge and digest: what the digests in other tables stand for.
    -- Keys and header values never come here, only the names of their variables.
    kind            text not null check (kind in ('agent', 'judge')),
    entrant         text not null,
    entrant_digest  text not null,
    vendor          text not null,
    family          text not null,
    version         text not null,
    model           text,
    api_base        text,
    region          text not null,
    description     text not null,          -- the configuration as JSON
    first_run       text not null,
    primary key (kind, entrant, entrant_digest)
);

create table call (
    -- A row per attempt at a call, successful or not. It serves one transcript, sheet or verdict.
    key             text not null primary key,
    serves          text not null,
    serves_kind     text not null check (serves_kind in ('transcript', 'sheet', 'verdict')),
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

create table transcript (
    -- A row per agent, scenario, mode and replicate that was answered to the end.
    key             text not null primary key,
    suite           text not null,
    shown           text not null,          -- digest of what the agent is shown
    mode            text not null,
    agent           text not null,
    agent_digest    text not null,
    scenario        text not null,
    user_kind       text not null,          -- canned, or the digest of a simulated user
    replicate       integer not null,
    origin          text not null,          -- own, or the digest of an import
    rounds          integer not null,
    messages        text not null,          -- JSON list of [role, text], thinking left out
    calls           text not null,          -- JSON list of the calls quoted, one a round
    reply_chars     bigint not null,
    run             text not null,
    ended_at        text not null
);

create table sheet (
    -- A row per attempt of a judge to score a transcript (or one round of it).
    key             text not null,
    attempt         integer not null,
    transcript      text not null,
    judge           text not null,
    judge_digest    text not null,
    template        text not null,          -- digests of what the judge is told
    rubric          text not null,
    notes           text not null,
    cut             text not null,
    scope           text not null check (scope in ('transcript', 'turn')),
    round           integer not null,       -- 0 for a whole transcript
    judge_replicate integer not null,
    status          text not null,
    summary         text not null,
    remarks         text not null,          -- JSON: strengths, issues
    flags           text not null,          -- JSON list
    call            text not null,
    run             text not null,
    ended_at        text not null,
    primary key (key, attempt)
);

create table score (
    -- A row per criterion of a sheet that could be read.
    sheet           text not null,
    attempt         integer not null,
    criterion       text not null,
    value           double not null,
    comment         text not null,
    primary key (sheet, attempt, criterion)
);

create table verdict (
    -- A row per attempt of a judge to compare a pair of transcripts in one order (a presentation).
    key             text not null,
    attempt         integer not null,
    transcript_a    text not null,          -- a is the agent first in alphabetical order
    transcript_b    text not null,
    agent_a         text not null,
    agent_b         text not null,
    scenario        text not null,
    replicate       integer not null,
    judge           text not null,
    judge_digest    text not null,
    template        text not null,
    rubric          text not null,
    notes           text not null,
    cut             text not null,
    "order"         text check ("order" in ('ab', 'ba')),   -- null: none was shown
    judge_replicate integer not null,
    status          text not null,
    outcome         text check (outcome in ('a', 'b', 'tie')),  -- null: no answer, never a tie
    margin          integer,                -- stated strength, 1 to 5
    reason          text not null,
    flags           text not null,          -- JSON list
    code_a          text not null,          -- blind names of a and b
    code_b          text not null,
    call            text not null,
    run             text not null,
    ended_at        text not null,
    primary key (key, attempt)
);

create table verdict_criterion (
    -- A row per criterion of a verdict: which side was stronger, and by how much.
    verdict         text not null,
    attempt         integer not null,
    criterion       text not null,
    side            text not null check (side in ('a', 'b', 'tie')),
    strength        integer,
    primary key (verdict, attempt, criterion)
);

create table board (
    -- A row per board as it was computed: ratings of one suite version, mode, panel and data cut.
    key             text not null primary key,
    suite           text not null,
    suite_version   text not null,
    suite_digest    text not null,
    mode            text not null,
    panel           text not null,          -- JSON list of judges
    data_cut        text not null,          -- JSON list of domains; empty: all of them
    data_digest     text not null,
    document        text not null,          -- JSON, schema arena.board/1
    run             text not null,
    ended_at        text not null
);
