/** The types of events, and which resource a person has to read to be sent them. The types are those of the API. */
import type { OperationOf, OptionsOf } from '@marquee/sdk';
import { mayRead, type Resource, type Session } from '../../api/session.ts';

export type EventType = OptionsOf<OperationOf<'/v1/webhooks', 'post'>>['body']['events'][number];

const RESOURCES: Record<EventType, Resource> = {
  'campaign.created': 'campaigns',
  'campaign.approved': 'campaigns',
  'campaign.paused': 'campaigns',
  'campaign.resumed': 'campaigns',
  'campaign.finished': 'campaigns',
  'campaign.rejected': 'campaigns',
  'creative.uploaded': 'creatives',
  'creative.ready': 'creatives',
  'creative.rejected': 'creatives',
  'screen.paired': 'screens',
  'screen.online': 'screens',
  'screen.offline': 'screens',
  'screen.unpaired': 'screens',
  'scan.recorded': 'reporting',
  'payout.issued': 'payouts',
  'payout.paid': 'payouts',
  'payout.failed': 'payouts',
  'invoice.issued': 'invoices',
  'invoice.paid': 'invoices',
  'audit.entry.created': 'audit',
};

/** The types that a person may be sent. */
export function eventTypesFor(session: Pick<Session, 'me'>): EventType[] {
  // The keys of the table are its type.
  return (Object.keys(RESOURCES) as EventType[]).filter(type => mayRead(session, RESOURCES[type]));
}

/** Whether a name is that of a type. */
export function isEventType(name: string): name is EventType {
  return Object.hasOwn(RESOURCES, name);
}
