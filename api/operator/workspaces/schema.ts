/** Queries and answers of workspaces as the operator sees them, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { WORKSPACE_KINDS, WORKSPACE_STATUSES } from '#domain/access/workspace.ts';
import { BY_CREATION, pageQuery } from '../../lists/paging.ts';
import {
  countField,
  currencyField,
  emailField,
  idField,
  moneyField,
  nameField,
  oneOrMore,
  orNull,
  referenceField,
  searchField,
  strict,
  timestampField,
} from '../../wire/shapes.ts';

export const WorkspacesQuery = strict({
  ...pageQuery(BY_CREATION),
  status: oneOrMore(WORKSPACE_STATUSES, 'Only workspaces of this status.'),
  kind: oneOrMore(WORKSPACE_KINDS, 'Only workspaces of this kind.'),
  q: searchField('Only workspaces whose name holds this text, in any case.'),
  count: countField,
});

export const WorkspaceAccount = Type.Object(
  {
    id: idField('ws_...'),
    name: Type.String({ description: 'Its name.' }),
    kind: Type.Enum([...WORKSPACE_KINDS], { description: 'What it does here.' }),
    currency: Type.String({ description: 'Currency of its money, ISO 4217.' }),
    status: Type.Enum([...WORKSPACE_STATUSES], {
      description: '`in_review` after a sign-up, until it is approved; `closed`: its keys are refused.',
    }),
    owner: orNull(Type.String(), 'Address of its first owner; null: it has none.'),
    agency_id: orNull(Type.String(), 'The agency whose client it is, ws_...; null: it is no client.'),
    signed_up_from: orNull(Type.String(), 'Network address of its sign-up; null: the operator made it.'),
    created_at: timestampField('When it was made.'),
  },
  { title: 'WorkspaceAccount', description: 'A workspace of the installation.' },
);
export type WorkspaceAccount = Static<typeof WorkspaceAccount>;

export const OpenWorkspaceBody = strict({
  kind: Type.Enum([...WORKSPACE_KINDS], { description: 'What it does here.' }),
  name: nameField('Name of the workspace.'),
  currency: currencyField('Currency of its money, ISO 4217. It never changes.'),
  owner_email: emailField('Address of its owner, who is invited.'),
});

export const OpenedWorkspace = Type.Object(
  {
    ...WorkspaceAccount.properties,
    invitation: Type.Object(
      {
        email: Type.String({ description: 'Address of the owner.' }),
        url: Type.String({ description: 'Link by which the owner accepts, to be handed over. It is shown here only.' }),
        expires_at: timestampField('When it ends unless it is accepted, 7 days after it was made.'),
      },
      { description: 'Until it is accepted, an address that does not exist holds the seat of the owner.' },
    ),
  },
  { title: 'OpenedWorkspace', description: 'A new workspace and the invitation of its owner.' },
);
export type OpenedWorkspace = Static<typeof OpenedWorkspace>;

export const MovedWorkspace = Type.Object(
  { id: idField('ws_...'), status: Type.Enum([...WORKSPACE_STATUSES], { description: 'What it is now.' }) },
  { title: 'MovedWorkspace' },
);
export type MovedWorkspace = Static<typeof MovedWorkspace>;

export const FundingBody = strict({
  amount: moneyField('What arrived, in the currency of the workspace.'),
  reference: referenceField("The bank's reference of the transfer. It is booked once, however often it is sent."),
});

export const Funding = Type.Object(
  {
    workspace_id: idField('ws_...'),
    funded: moneyField('What is booked under the reference.'),
    reference: Type.String({ description: 'Reference of the transfer.' }),
    booked_before: Type.Boolean({ description: 'Whether it was booked before: nothing was booked this time.' }),
  },
  { title: 'Funding', description: 'A bank transfer on the wallet of a workspace.' },
);
export type Funding = Static<typeof Funding>;
