-- What people are asked, with what chance, and what came of it. What a person answered is a verdict
-- of the judge `human:ID`. Rows are added, never updated.

create table vote_plan (
    -- A row per drawing of presentations for people; of a suite and mode the last one is in force.
    key             text not null primary key,
    place           bigint not null,        -- in the order of adding
    suite           text not null,
    mode            text not null,
    seed            bigint not null,
    share           double not null,        -- part that was asked to be drawn at random
    frame           integer not null,       -- comparisons that were drawn from
    frame_digest    text not null,          -- which they were
    made_from       text not null check (made_from in ('judged', 'all')),
    run             text not null,
    made_at         text not null
);

create table vote_draw (
    -- A row per presentation of a plan: a comparison in one order, which a fair coin chose.
    plan            text not null,
    place           integer not null,       -- from 0, in the plan's order
    transcript_a    text not null,
    transcript_b    text not null,
    agent_a         text not null,
    agent_b         text not null,
    scenario        text not null,
    replicate       integer not null,
    "order"         text not null check ("order" in ('ab', 'ba')),
    why             text not null check (why in ('random', 'disputed')),
    probability     double check (probability > 0 and probability <= 1),
    -- of the comparison's being drawn; null: it was picked, and corrects nothing
    primary key (plan, place)
);

create table vote (
    -- A row per answer of a person: which verdict it is, and to which presentation of which plan.
    verdict         text not null,
    attempt         integer not null,
    plan            text not null,
    place           integer not null,
    person          text not null,          -- human:ID
    via             text not null check (via in ('browser', 'terminal', 'sheet')),
    run             text not null,
    cast_at         text not null,
    primary key (verdict, attempt)
);

create table vote_withdrawn (
    -- A row per answer that its person took back; the verdict stays, and does not count.
    verdict         text not null,
    attempt         integer not null,
    run             text not null,
    withdrawn_at    text not null,
    primary key (verdict, attempt)
);
