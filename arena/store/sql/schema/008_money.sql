-- What a call of unknown cost can have cost at most, in its currency; null where the cost is known,
-- or where not even that is. A cap counts it in the place of the cost.

alter table call add column held decimal(18, 9);
