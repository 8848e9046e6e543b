-- Votes that others cast: who won between whom, without texts. Rows are added, never updated.

create table imported_vote (
    -- A row per vote of an import. What the file does not hold is null.
    origin          text not null,          -- the digest of the import
    row             integer not null,       -- data row of the file, from 1
    agent_a         text not null,          -- as they stand in the file, in no order of ours
    agent_b         text not null,
    outcome         text check (outcome in ('a', 'b', 'tie')),  -- null: no answer, never a tie
    said            text,                   -- a tie's own label, where it says more: both bad
    "order"         text check ("order" in ('ab', 'ba')),       -- who was shown first
    scenario        text,
    judge           text,
    replicate       text,
    margin          double,                 -- stated strength; below 0: in favour of b
    weight          double check (weight > 0 and weight <= 1),
    domain          text,
    tag             text,
    criterion       text,
    id              text,
    time            text,                   -- as it stood
    judge_vendor    text,
    vendor_a        text,
    vendor_b        text,
    metadata        text,                   -- JSON: facts of both sides
    rest            text,                   -- JSON: the further columns by name
    primary key (origin, row)
);

create table vote_file (
    -- A row per import of votes: what its columns were called.
    origin          text not null primary key,
    layout          text not null,          -- by whose names they were recognised
    columns         text not null,          -- JSON: role → name in the file
    rest            text not null,          -- JSON list: names of the further columns
    agents          text not null,          -- JSON list, sorted
    judges          bigint not null,        -- how many are named
    rows_read       bigint not null,        -- data rows of the file
    run             text not null
);
