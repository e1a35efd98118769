/** The jobs of alerts by mail. */
import { forgetFacts } from '#sql/alerts/facts.ts';
import { forgetMails } from '#sql/alerts/mails.ts';
import { forgetReports } from '#sql/alerts/weekly-reports.ts';
import type { Job } from '../schedule.ts';
import { findAlerts } from './find-alerts.ts';
import { sendMails, type MailParts } from './send-mails.ts';
import { writeWeeklyReports } from './weekly-reports.ts';

export function alertJobs(parts: MailParts): readonly Job[] {
  return [
    // Alerts count minutes; each finding is written once. Weekly reports share the job, because each job costs
    // connections.
    {
      name: 'find-alerts',
      everyMs: 30_000,
      lock: 260,
      run: async context => (await findAlerts(context)) + (await writeWeeklyReports(context)),
    },
    // One query of an index that is mostly empty. One process at a time, so that a person gets one digest.
    { name: 'send-mails', everyMs: 2_000, lock: 261, run: context => sendMails(context, parts) },
    {
      name: 'forget-alerts',
      everyMs: 3_600_000,
      lock: 262,
      run: async ({ sql, now }) =>
        (await forgetFacts(sql, now())) + (await forgetMails(sql, now())) + (await forgetReports(sql, now())),
    },
  ];
}
