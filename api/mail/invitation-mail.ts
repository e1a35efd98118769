/**
 * Sends an invitation by mail after its commit: even if that fails, the invitation and its link exist. Texts of members
 * (names of workspaces) are reduced to one line, and never part of an address.
 */
import { foldAddress } from '#domain/access/mail-address.ts';
import type { WorkspaceStatus } from '#domain/access/workspace.ts';
import type { Handle } from '#domain/id.ts';
import type { MailLanguage } from '#domain/mail-language.ts';
import { inOneLine } from '#domain/text.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Mailer } from '#runtime/mail/mailer.ts';
import type { GuessLimit } from '../rate-limit/guess-limit.ts';
import type { MailOutcome } from './outcome.ts';

export type InvitationMail = {
  email: string;
  url: string;
  expiresAt: Milliseconds;
  workspace: Handle<'workspace'>;
  workspaceName: string;
  status: WorkspaceStatus;
  inviter: string;
  language: MailLanguage;
};

export type MailDependencies = {
  now: () => Milliseconds;
  mailer?: Mailer;
  mailsOfWorkspace: GuessLimit;
  mailsToAddress: GuessLimit;
};

/** Whether mail is sent for a workspace. An unapproved workspace must not write to strangers in our name. */
export function sendsMail({ mailer }: Pick<MailDependencies, 'mailer'>, status: WorkspaceStatus): boolean {
  return mailer !== undefined && status === 'active';
}

export async function mailInvitation(parts: MailDependencies, invitation: InvitationMail): Promise<MailOutcome> {
  const { mailer, mailsOfWorkspace, mailsToAddress, now } = parts;
  if (!mailer || !sendsMail(parts, invitation.status)) return { state: 'off', problem: null };
  const isMuch =
    (await mailsOfWorkspace.take(String(invitation.workspace))) > 0 ||
    (await mailsToAddress.take(foldAddress(invitation.email))) > 0;
  const problem = isMuch ? 'busy' : await mailer.send({ to: invitation.email, ...wordsOf(invitation) }, now());
  if (problem === undefined) return { state: 'sent', problem: null };
  return { state: problem === 'late' ? 'unknown' : 'failed', problem };
}

type Words = { subject: string; text: string };

function wordsOf({ workspaceName, inviter, url, expiresAt, language }: InvitationMail): Words {
  const end = new Date(expiresAt);
  const day = new Intl.DateTimeFormat(language === 'de' ? 'de-DE' : 'en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  return WORDS[language]({
    workspace: inOneLine(workspaceName),
    inviter: inOneLine(inviter),
    url,
    end: day.format(end),
  });
}

type Named = { workspace: string; inviter: string; url: string; end: string };

const WORDS: Record<MailLanguage, (named: Named) => Words> = {
  en: ({ workspace, inviter, url, end }) => ({
    subject: `Invitation to ${workspace} on Marquee`,
    text: `Hello,

${inviter} invites you to work in "${workspace}" on Marquee. This link lets you in:

${url}

It is for you alone: the first person to open it gets in. It is valid until ${end}.
If you do not know what this is about, do nothing.
`,
  }),
  de: ({ workspace, inviter, url, end }) => ({
    subject: `Einladung zu ${workspace} bei Marquee`,
    text: `Guten Tag,

${inviter} lädt Sie ein, in „${workspace}“ bei Marquee mitzuarbeiten. Mit diesem Link kommen Sie hinein:

${url}

Er ist nur für Sie: Wer ihn zuerst öffnet, ist dabei. Er gilt bis ${end}.
Wenn Sie nicht wissen, worum es geht, tun Sie nichts.
`,
  }),
};
