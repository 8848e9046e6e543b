-- Plans of comparisons, fixed before the first verdict that they ask for.

create table plan (
    -- A row per plan; of a suite and mode the one added last is in force.
    key             text not null primary key,
    place           bigint not null,        -- in the order of adding
    suite           text not null,
    mode            text not null,
    design          text not null check (
        design in ('all', 'even', 'random', 'informed', 'against', 'adaptive')
    ),
    options         text not null,          -- JSON: what was asked of the design
    seed            bigint not null,
    agents          text not null,          -- JSON list: whom it was made for
    places          text not null,          -- JSON list of [scenario, replicate]
    comparisons     text,                   -- JSON list of [place, a, b] by index; null: every one
    parts           text not null,          -- JSON list: comparisons before each look
    scores          text,                   -- digest of the scores it read; null: none
    unscored        text not null,          -- JSON list: agents of which it knew too few scores
    evened          integer not null,       -- pairs planned evenly for it
    history         text not null,          -- JSON list: designs that chose its comparisons
    follows         text,                   -- key of the plan that it goes on from
    run             text not null
);

create table look (
    -- A row per look at what the comparisons of a plan have come to.
    plan            text not null,
    number          integer not null,       -- from 1
    looks           integer not null,       -- at most so many
    level           double not null,        -- of the intervals
    pairs           integer not null,
    undecided       integer not null,
    widest          double,                 -- in points; null: open, or nobody is ranked
    stopped         boolean not null,
    run             text not null,
    primary key (plan, number)
);
