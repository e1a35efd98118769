-- What is told of payments is kept for a time only; these find what is older.
create index payment_events_by_age on payment_events (received_at);
create index payment_cases_waiting_by_age on payment_cases (created_at) where status = 'waiting';
