/** Answers about the scheduled jobs of the workers, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { NAME_LENGTH_MAX, timestampField } from '../wire/shapes.ts';

const maybe = (description: string) => Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });

export const JobParams = Type.Object({
  name: Type.String({ maxLength: NAME_LENGTH_MAX, description: 'Name of the job.' }),
});

export const ScheduledJobs = Type.Object(
  {
    jobs: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Its name, as `admin job list` shows it.' }),
        every_ms: Type.Integer({ description: 'Milliseconds that it rests after a round that found nothing to do.' }),
        can_run: Type.Boolean({ description: 'Whether it can be asked for.' }),
        asked_at: maybe('When somebody asked for it; null once it has run.'),
        next_at: maybe('When it looks for work next; null before its first round.'),
        last_round: Type.Union(
          [
            Type.Object({
              ended_at: timestampField('When it ended.'),
              took_ms: Type.Integer({ description: 'Milliseconds that it took.' }),
              did: Type.Integer({ description: 'Number of things that it did; 0: there was nothing to do.' }),
              fault: Type.Union([Type.String(), Type.Null()], { description: 'What it failed on; null: it did not.' }),
            }),
            Type.Null(),
          ],
          { description: 'Its last round in any process; null before the first.' },
        ),
      }),
      { description: 'By name; empty before the first start of workers.' },
    ),
  },
  { title: 'ScheduledJobs', description: 'What workers do by themselves.' },
);
export type ScheduledJobs = Static<typeof ScheduledJobs>;

export const AskedJob = Type.Object(
  {
    name: Type.String({ description: 'Name of the job.' }),
    asked_at: timestampField('When it was asked for: now, or before where it has not run since.'),
  },
  { title: 'AskedJob' },
);
export type AskedJob = Static<typeof AskedJob>;
