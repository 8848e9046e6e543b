-- What each plan of votes was drawn from. Rows are added, never updated.

create table vote_frame (
    -- A row per comparison that had a chance of being drawn, whoever plays or judges since.
    plan            text not null,
    transcript_a    text not null,
    transcript_b    text not null,
    primary key (plan, transcript_a, transcript_b)
);
