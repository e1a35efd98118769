/** The texts of the operator's pages in English. */
export const operator = {
  'network.map': 'Where screens stand',
  'network.bubble': '{city}: {online} of {screens} screens connected',
  'network.none': 'There is no screen yet',
  'network.noneHint':
    'Screens are here as soon as a venue pairs them. Make a workspace of the kind venue, and invite its owner.',

  'reviews.lead': 'Campaigns that the rules do not decide on. The longest waiting come first.',
  'reviews.none': 'Nothing waits for you',
  'reviews.noneHint': 'Campaigns of restricted categories appear here by themselves.',
  'reviews.waiting': '{count} waiting',
  'reviews.rule': '{category} waits for a person: {rule}.',
  'reviews.budget': 'Budget',
  'reviews.approve': 'Approve',
  'reviews.approveOf': 'Approve: {name}',
  'reviews.reject': 'Reject',
  'reviews.rejectOf': 'Reject {name}',
  'reviews.reason': 'Reason',
  'reviews.detail': 'Message to the advertiser',
  'reviews.detailHint': 'Left empty, they read the sentence of the reason.',
  'network.lead': 'Every screen of this installation, of all workspaces.',
  'network.search': 'Screen, venue, city or owner',
  'network.owner': 'Owner',
  'explorer.title': 'Decisions: {screen}',
  'explorer.minute': 'Go to time',
  'explorer.newest': 'Follow the newest',
  'explorer.note': 'open a slot for all that did not get it',
  'explorer.none': 'It asked for no slot then',
  'explorer.expired': 'The slot is older than a day: only its winner is kept.',
  'explorer.not_recorded': 'What it was decided from was not written down, or is on its way.',
  'explorer.more': 'and {count} more',
};

export type OperatorTexts = typeof operator;
