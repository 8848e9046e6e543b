-- Statements about plans of comparisons and looks at them.

-- name: plan_add
-- One row of the table plan; the same plan is stored once.
insert into plan
select
    $key, coalesce(max(place), 0) + 1, $suite, $mode, $design, $options, $seed, $agents, $places,
    $comparisons, $parts, $scores, $unscored, $evened, $history, $follows, $run
from plan
on conflict do nothing;

-- name: plan_latest
-- The plan in force for a suite and mode.
select
    key, suite, mode, design, options, seed, agents, places, comparisons, parts, scores,
    unscored, evened, history, follows
from plan
where suite = $suite and mode = $mode
order by place desc
limit 1;

-- name: look_add
-- One row of the table look; what was seen at a look stays as it is.
insert into look values (
    $plan, $number, $looks, $level, $pairs, $undecided, $widest, $stopped, $run
) on conflict do nothing;

-- name: looks_of
-- The looks of a plan, in order.
select number, looks, level, pairs, undecided, widest, stopped
from look
where plan = $plan
order by number;
