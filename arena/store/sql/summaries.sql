-- Statements that count and sum up.

-- name: spend
-- Calls, tokens and money per entrant and currency; `unpriced` are calls whose cost is unknown, of
-- which `held` is the most that they can have cost, and `unheld` the number without even that.
-- A refusal costs 0 where there is a price; a time-out may have been billed; a replay never is.
-- `run` is null for all of them.
with made as (
    select
        speaker, entrant, currency, tokens_in, tokens_out, cost, held, status, model_asked, run
    from call
    union all
    select
        speaker, entrant, currency, tokens_in, tokens_out, cost, null, status, model_asked, run
    from ping
), paid as (
    select
        *,
        cost is null and (status <> 'error' or currency is not null)
        and model_asked not like 'replay/%' as unpriced
    from made
    where $run::text is null or run = $run
)
select
    speaker, entrant, currency,
    count(*) as calls,
    sum(tokens_in) as tokens_in,
    sum(tokens_out) as tokens_out,
    sum(cost) as cost,
    count(*) filter (where unpriced) as unpriced,
    sum(held) filter (where unpriced) as held,
    count(*) filter (where unpriced and held is null) as unheld
from paid
group by speaker, entrant, currency
order by speaker, entrant, currency;

-- name: ping_add
-- One row of the table ping; the same attempt is stored once.
insert into ping values (
    $key, $speaker, $entrant, $entrant_digest, $attempt, $status, $model_asked, $model_returned,
    $host, $tokens_in, $tokens_out, $cost, $currency, $latency_ms, $error, $run, $at
) on conflict do nothing;

-- name: newest_row
-- When the youngest of what was asked ended, and the youngest command began.
select started_at from run
union all
select ended_at from call
order by started_at desc
limit 1;

-- name: spend_stages
-- As `spend`, apart for what the calls serve; the calls of a check serve it alone.
with paid as (
    select
        serves_kind, speaker, entrant, currency, tokens_in, tokens_out, cost, status, model_asked
    from call
    union all
    select
        'check', speaker, entrant, currency, tokens_in, tokens_out, cost, status, model_asked
    from ping
)
select
    serves_kind, speaker, entrant, currency,
    count(*) as calls,
    sum(tokens_in) as tokens_in,
    sum(tokens_out) as tokens_out,
    sum(cost) as cost,
    count(*) filter (
        where cost is null and (status <> 'error' or currency is not null)
        and model_asked not like 'replay/%'
    ) as unpriced
from paid
group by serves_kind, speaker, entrant, currency
order by serves_kind, speaker, entrant, currency;

-- name: spend_wanted
-- As `spend_stages`, of the calls that serve the keys wanted.
select
    call.serves_kind, call.speaker, call.entrant, call.currency,
    count(*) as calls,
    sum(call.tokens_in) as tokens_in,
    sum(call.tokens_out) as tokens_out,
    sum(call.cost) as cost,
    count(*) filter (
        where call.cost is null and (call.status <> 'error' or call.currency is not null)
        and call.model_asked not like 'replay/%'
    ) as unpriced
from call
join wanted on wanted.key = call.serves
group by call.serves_kind, call.speaker, call.entrant, call.currency
order by call.serves_kind, call.speaker, call.entrant, call.currency;

-- name: observed
-- Mean tokens of the replies so far, per entrant and kind of work: a sum is a number times a mean.
select
    entrant, serves_kind,
    avg(tokens_out) as tokens_out,
    avg(tokens_in) as tokens_in,
    median(latency_ms) as latency_ms,
    count(*) as calls
from call
where status = 'ok' and tokens_out is not null and speaker <> 'user'
group by entrant, serves_kind
order by entrant, serves_kind;
