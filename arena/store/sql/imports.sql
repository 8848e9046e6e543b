-- Statements about what was imported.

-- name: origins_all
-- Imports that came in to their end, the latest state of each, in the order in which they came.
select origin, makers, format, source, suite, orders, counts, left_out, imported_at
from origin
qualify row_number() over (partition by origin order by imported_at desc, makers) = 1
order by imported_at, origin;

-- name: origin_modes
-- The modes that an import has rows of.
select distinct origin, mode from imported order by origin, mode;

-- name: origin_agents
-- The agents that an import has rows of.
select distinct imported.origin, transcript.agent
from imported
join transcript on imported.kind = 'transcript' and transcript.key = imported.key
union
select distinct imported.origin, unnest([verdict.agent_a, verdict.agent_b]) as agent
from imported
join verdict on imported.kind = 'verdict' and verdict.key = imported.key
order by all;

-- name: imported_there
-- Rows of imports among the keys wanted: kind and key.
select imported.kind, imported.key
from imported
join wanted using (key)
order by wanted.place, imported.kind;

-- name: imported_transcripts
-- The transcripts of an import in one mode.
select
    transcript.suite, transcript.shown, transcript.mode, transcript.agent,
    transcript.agent_digest, transcript.scenario, transcript.user_kind, transcript.replicate,
    transcript.origin, transcript.rounds
from transcript
join imported on imported.kind = 'transcript' and imported.key = transcript.key
where imported.origin = $origin and imported.mode = $mode
order by transcript.scenario, transcript.agent, transcript.replicate, transcript.key;

-- name: imported_sheets
-- The sheets of an import in one mode, with the agent and scenario that they are of.
select distinct
    sheet.transcript, transcript.agent, transcript.scenario, sheet.judge, sheet.judge_digest,
    sheet.template, sheet.rubric, sheet.notes, sheet.cut, sheet.scope, sheet.round,
    sheet.judge_replicate
from sheet
join imported on imported.kind = 'sheet' and imported.key = sheet.key
join transcript on transcript.key = sheet.transcript
where imported.origin = $origin and imported.mode = $mode
order by all;

-- name: imported_verdicts
-- The presentations of an import in one mode.
select distinct
    verdict.transcript_a, verdict.transcript_b, verdict.agent_a, verdict.agent_b,
    verdict.scenario, verdict.replicate, verdict.judge, verdict.judge_digest, verdict.template,
    verdict.rubric, verdict.notes, verdict.cut, verdict."order", verdict.judge_replicate
from verdict
join imported on imported.kind = 'verdict' and imported.key = verdict.key
where imported.origin = $origin and imported.mode = $mode
order by all;

-- name: imported_raw
-- What stood in the file, and where, for each key wanted.
select imported.kind, imported.key, imported.place, imported.raw
from imported
join wanted using (key)
order by wanted.place, imported.kind;

-- name: vote_file_add
-- Note what the columns of a file of votes were called.
insert into vote_file
values ($origin, $layout, $columns, $rest, $agents, $judges, $rows_read, $run);

-- name: vote_file_of
-- What the columns of an import's file of votes were called.
select layout, columns, rest, agents, judges, rows_read
from vote_file
where origin = $origin
order by origin;

-- name: vote_files
-- The imports that brought votes, and whom they are about.
select origin, agents from vote_file order by origin;

-- name: vote_judges
-- The judges of an import of votes, those with most votes first.
select judge
from imported_vote
where origin = $origin and judge is not null
group by judge
order by count(*) desc, judge
limit $most;

-- name: votes_counted
-- How many votes an import has, and how many without a winner.
select count(*) as votes, count(*) - count(outcome) as unanswered
from imported_vote
where origin = $origin
order by all;

-- name: votes_of
-- The first votes of a part of an import, each with the number of them all.
select
    row, agent_a, agent_b, outcome, said, "order", scenario, judge, margin, time,
    count(*) over () as found
from imported_vote
where origin = $origin
    and (len($agents::text[]) = 0 or (
        list_contains($agents::text[], agent_a) and list_contains($agents::text[], agent_b)
    ) or (len($agents::text[]) = 1 and ($agents::text[])[1] in (agent_a, agent_b)))
    and (len($scenarios::text[]) = 0 or list_contains($scenarios::text[], scenario))
    and (len($judges::text[]) = 0 or list_contains($judges::text[], judge))
order by row
limit $most;

-- name: verdicts_as_votes
-- The verdicts of the keys wanted, in the columns of imported votes.
select
    wanted.place + 1 as "#row", agent_a, agent_b, case status when 'ok' then outcome end as outcome,
    "order", scenario, judge, replicate::text as replicate, margin::double as margin,
    ended_at as time
from current_verdict
join wanted using (key)
order by wanted.place;
