-- Statements about what people are asked and what they answer.

-- name: vote_plan_add
-- One row of the table vote_plan; the same plan is stored once.
insert into vote_plan
select
    $key, coalesce(max(place), 0) + 1, $suite, $mode, $seed, $share, $frame, $frame_digest,
    $made_from, $run, $at
from vote_plan
on conflict do nothing;

-- name: vote_draw_add
-- One row of the table vote_draw.
insert into vote_draw values (
    $plan, $place, $a, $b, $agent_a, $agent_b, $scenario, $replicate, $order, $why, $probability
) on conflict do nothing;

-- name: vote_frame_add
-- The comparisons that a plan was drawn from.
insert into vote_frame
select $plan, unnest($a::text[]), unnest($b::text[])
on conflict do nothing;

-- name: vote_frame_of
-- The comparisons that a plan was drawn from, by their transcripts.
select transcript_a, transcript_b
from vote_frame
where plan = $plan
order by all;

-- name: vote_plans_all
-- The plans of a suite and mode, the last one first.
select key, suite, mode, seed, share, frame, frame_digest, made_from
from vote_plan
where suite = $suite and mode = $mode
order by place desc;

-- name: vote_draws_of
-- The presentations of a plan, in its order.
select
    place, transcript_a, transcript_b, agent_a, agent_b, scenario, replicate, "order", why,
    probability
from vote_draw
where plan = $plan
order by place;

-- name: vote_kept
-- What is kept of one answer: nothing, or how it ended and whether it was taken back.
select verdict.status, verdict.outcome, vote_withdrawn.verdict is not null
from vote
join verdict on verdict.key = vote.verdict and verdict.attempt = vote.attempt
left join vote_withdrawn
    on vote_withdrawn.verdict = vote.verdict and vote_withdrawn.attempt = vote.attempt
where vote.verdict = $verdict and vote.attempt = $attempt
order by vote.verdict;

-- name: vote_criteria_kept
-- What one answer says of each criterion.
select criterion, side
from verdict_criterion
where verdict = $verdict and attempt = $attempt
order by criterion;

-- name: vote_standing
-- Attempts of one presentation that its person has not taken back.
select vote.attempt
from vote
anti join vote_withdrawn
    on vote_withdrawn.verdict = vote.verdict and vote_withdrawn.attempt = vote.attempt
where vote.verdict = $verdict
order by vote.attempt;

-- name: vote_add
-- One row of the table vote.
insert into vote values ($verdict, $attempt, $plan, $place, $person, $via, $run, $at);

-- name: vote_withdraw
-- One row of the table vote_withdrawn; taking back twice is taking back once.
insert into vote_withdrawn values ($verdict, $attempt, $run, $at) on conflict do nothing;

-- name: votes_cast
-- Every answer of people to plans of a suite and mode, with the chance of its presentation.
select
    vote.verdict, vote.attempt, vote.plan, vote.place, vote.person, vote.via, vote.cast_at,
    vote_draw.transcript_a, vote_draw.transcript_b, vote_draw.agent_a, vote_draw.agent_b,
    vote_draw.scenario, vote_draw.replicate, vote_draw."order", vote_draw.why,
    vote_draw.probability, verdict.status, verdict.outcome,
    vote_withdrawn.verdict is not null as withdrawn
from vote
join vote_plan on vote_plan.key = vote.plan
join vote_draw on vote_draw.plan = vote.plan and vote_draw.place = vote.place
join verdict on verdict.key = vote.verdict and verdict.attempt = vote.attempt
left join vote_withdrawn
    on vote_withdrawn.verdict = vote.verdict and vote_withdrawn.attempt = vote.attempt
where vote_plan.suite = $suite and vote_plan.mode = $mode
order by vote_plan.place, vote.place, vote.person, vote.attempt;

-- name: votes_criteria
-- What people's answers say of criteria, over the verdicts of a suite and mode.
select verdict_criterion.verdict, verdict_criterion.attempt, verdict_criterion.criterion,
    verdict_criterion.side
from verdict_criterion
join vote
    on vote.verdict = verdict_criterion.verdict and vote.attempt = verdict_criterion.attempt
join vote_plan on vote_plan.key = vote.plan
where vote_plan.suite = $suite and vote_plan.mode = $mode
order by all;
