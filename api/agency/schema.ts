/** Bodies, queries and answers of agencies and their clients, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { AGENCY_GROUPS } from '#sql/workspaces/agency-report.ts';
import { BILLING_MODELS } from '#domain/money/invoice.ts';
import { ROLES } from '#domain/access/permission.ts';
import { MEMBERS_MAX } from '#sql/members/seats.ts';
import { CLIENT_SORTS } from '#sql/workspaces/clients.ts';
import { BY_CREATION, pageQuery } from '../lists/paging.ts';
import {
  countField,
  currencyField,
  emailField,
  idField,
  moneyField,
  nameField,
  oneOrMore,
  orNull,
  partyFields,
  searchField,
  strict,
  textField,
  timestampField,
} from '../wire/shapes.ts';

const Branding = strict(
  {
    display_name: Type.Optional(textField(80, 'Name at the head of documents.')),
    accent_color: Type.Optional(
      Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'Color of headings, #rrggbb.' }),
    ),
    footer: Type.Optional(textField(200, 'A line at the foot of documents.')),
  },
  { title: 'Branding', description: 'How documents look.' },
);

const BillingDetails = strict(
  {
    legal_name: textField(140, 'Name of the company that is billed.'),
    address_lines: partyFields.address_lines,
    tax_id: Type.Optional(partyFields.tax_id),
    city: Type.Optional(partyFields.city),
    postal_code: Type.Optional(partyFields.postal_code),
    country: Type.Optional(partyFields.country),
    vat_id: Type.Optional(partyFields.vat_id),
    vat_exemption: Type.Optional(
      textField(200, 'Why the company charges no VAT itself, as printed on self-billed documents.'),
    ),
  },
  { title: 'BillingDetails', description: 'To whom invoices are addressed.' },
);

const Seat = strict(
  {
    email: emailField('Address of the person.'),
    role: Type.Enum([...ROLES], { description: 'What the person may do in this workspace.' }),
  },
  { title: 'Seat', description: 'A person of the workspace.' },
);

const billingModel = (description: string) => Type.Enum([...BILLING_MODELS], { description });

export const ClientRecord = Type.Object(
  {
    id: idField('ws_...'),
    name: Type.String({ description: 'Name of the client.' }),
    currency: Type.String({ description: 'Currency of its wallet and campaigns, ISO 4217.' }),
    wallet: Type.Object(
      { balance: moneyField('What campaigns may still reserve.') },
      { description: 'Its own wallet.' },
    ),
    mtd_spend: moneyField('Charges of this month (UTC; in a sandbox by its clock), before discounts.'),
    discount_tier: Type.Number({
      description:
        'Share of the next charge that comes back, a fraction from 0 to 0.3: volume of the month, slot fill, case study.',
    }),
    billing_model: Type.Union([billingModel('Who is billed.'), Type.Null()], {
      description:
        "`pass-through`: the client is billed; `agency-billed`: its charges are on the agency's invoice. Null for the agency itself.",
    }),
    branding: orNull(Branding, 'Its branding, or that of the agency.'),
    billing_details: orNull(BillingDetails, 'To whom its invoices are addressed; null: to its name.'),
    approval: Type.Enum(['none', 'agency'], {
      description: 'Whether its campaigns wait for the agency before review.',
    }),
    audit_retention_years: Type.Integer({
      description: 'Number of years (hours and days aside) that audit entries are kept.',
    }),
    inherited: Type.Array(
      Type.Enum(['branding', 'approval', 'audit_retention_years'], { description: 'Name of a field.' }),
      { description: 'Fields that it has from the agency.' },
    ),
    case_study: Type.Boolean({ description: 'Whether it lends itself to a case study, which adds to its discount.' }),
    seats: Type.Array(Seat, { description: 'People of the workspace.' }),
    created_at: timestampField('When it was made.'),
    archived_at: orNull(
      Type.String(),
      'When it was archived: it can be read, and nothing in it changes. ISO 8601, UTC; null: it is not.',
    ),
  },
  { title: 'Client', description: 'A client workspace of an agency.' },
);
export type Client = Static<typeof ClientRecord>;

export const ClientsQuery = strict({
  ...pageQuery(CLIENT_SORTS),
  status: oneOrMore(['active', 'archived'], 'Only clients of this status; `active` by default.'),
  billing_model: oneOrMore(BILLING_MODELS, 'Only clients that are billed so.'),
  currency: Type.Optional(
    Type.String({
      pattern: '^[A-Z]{3}(,[A-Z]{3})*$',
      maxLength: 200,
      description: 'Only clients whose currency is this one. Several comma-separated.',
    }),
  ),
  q: searchField('Only clients whose name holds this text, in any case.'),
  count: countField,
});

export const CreateClientBody = strict({
  name: nameField('Name of the client.'),
  billing_model: billingModel(
    "`pass-through`: the client is billed; `agency-billed`: its charges are on the agency's invoice.",
  ),
  currency: currencyField('Currency of its wallet and campaigns, ISO 4217. It never changes.'),
});

export const ChangeClientBody = strict(
  {
    name: Type.Optional(nameField('Name of the client.')),
    billing_model: Type.Optional(billingModel('Who is billed from the next invoice on.')),
    branding: Type.Optional(orNull(Branding, 'Null: as the agency has it.')),
    billing_details: Type.Optional(orNull(BillingDetails, 'Null: invoices go to its name.')),
    approval: Type.Optional(
      orNull(
        Type.Enum(['none', 'agency'], { description: 'Whether campaigns wait for the agency.' }),
        'Null: as the agency has it.',
      ),
    ),
    audit_retention_years: Type.Optional(
      Type.Union([Type.Enum([2, 7], { description: 'Number of years, hours and days aside.' }), Type.Null()], {
        description:
          'Number of years that audit entries are kept (hours and days aside), 7 on the top plan only. Null: as the agency has it.',
      }),
    ),
    case_study: Type.Optional(Type.Boolean({ description: 'Whether it lends itself to a case study.' })),
    seats: Type.Optional(
      Type.Array(Seat, {
        minItems: 1,
        maxItems: MEMBERS_MAX,
        description:
          'All people of the workspace: who is not in the list leaves, and the keys of that person with them.',
      }),
    ),
  },
  { minProperties: 1 },
);

export const TransferBody = strict({
  amount: moneyField('What to move, in the currency of both wallets.'),
  direction: Type.Enum(['to_client', 'to_agency'], { description: 'From the agency to the client, or back.' }),
});

export const TransferRecord = Type.Object(
  {
    id: idField('trf_...'),
    client_id: idField('ws_...'),
    direction: Type.Enum(['to_client', 'to_agency'], { description: 'From the agency to the client, or back.' }),
    amount: moneyField('What was moved.'),
    agency_balance: moneyField("On the agency's wallet after it."),
    client_balance: moneyField("On the client's wallet after it."),
    created_at: timestampField('When it was moved.'),
  },
  { title: 'Transfer', description: 'Money moved between the wallets of an agency and its client.' },
);

export const ApprovalsQuery = strict({ ...pageQuery(BY_CREATION), count: countField });

export const ApprovalRecord = Type.Object(
  {
    campaign_id: idField('cmp_...'),
    name: Type.String({ description: 'Name of the campaign.' }),
    client: Type.Object(
      { id: idField('ws_...'), name: Type.String({ description: 'Name of the client.' }) },
      { description: 'Whose campaign it is.' },
    ),
    category: Type.String({ description: 'Category of the campaign.' }),
    budget: moneyField('What it may spend, set aside on the wallet of the client.'),
    schedule: Type.Object(
      {
        starts: Type.String({ description: 'First day, YYYY-MM-DD.' }),
        ends: Type.String({ description: 'Last day, YYYY-MM-DD.' }),
      },
      { description: 'When it shall run; days of each venue.' },
    ),
    created_at: timestampField('When the campaign was made.'),
  },
  { title: 'Approval', description: 'A campaign of a client that waits for the approval of its agency.' },
);
export type Approval = Static<typeof ApprovalRecord>;

const reportDate = (description: string) =>
  Type.Optional(Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description }));
export const AgencyReportQuery = strict({
  from: reportDate(
    'First day of the charges, YYYY-MM-DD (UTC, by the time of settlement); the first of this month by default.',
  ),
  to: reportDate('Last day, included; today by default.'),
  group: Type.Optional(Type.Enum([...AGENCY_GROUPS], { description: 'How rows are cut; `client` by default.' })),
  currency: Type.Optional(
    currencyField(
      'Which charges; the currency of the workspace by default. Amounts of two currencies are never added.',
    ),
  ),
});

const rowFields = {
  spend: Type.Number({ description: 'Platform cost, decimal amount in units of the currency.' }),
  discount: Type.Number({ description: 'Discount on it, decimal amount in units of the currency.' }),
  net_cost: Type.Number({ description: 'Platform cost less discount, decimal amount in units of the currency.' }),
  plays: Type.Integer({ description: 'Number of plays.' }),
  impressions: Type.Integer({ description: 'Number of impressions.' }),
};
const rowsOf = (fields: Record<string, ReturnType<typeof Type.String>>, by: string) =>
  Type.Optional(
    Type.Array(Type.Object({ ...fields, ...rowFields }), {
      description: `When grouped by ${by}: the rows with the largest spend first, up to 5,000.`,
    }),
  );

export const AgencyReport = Type.Object(
  {
    from: Type.String({ description: 'First day of the charges, YYYY-MM-DD.' }),
    to: Type.String({ description: 'Last day of the charges, YYYY-MM-DD.' }),
    group: Type.Enum([...AGENCY_GROUPS], { description: 'How rows are cut.' }),
    currency: Type.String({ description: 'Currency of all amounts, ISO 4217.' }),
    other_currencies: Type.Array(Type.String({ description: 'ISO 4217.' }), {
      description: 'Currencies of further charges in this range.',
    }),
    totals: Type.Object(
      {
        platform_cost: moneyField('Charges, to the micro-unit as on the ledger.'),
        discount: moneyField('Discounts on them, to the micro-unit as on the ledger.'),
        net_cost: moneyField('Charges less discounts.'),
      },
      { description: 'Of all rows.' },
    ),
    by_client: rowsOf(
      { client_id: idField('ws_...'), client_name: Type.String({ description: 'Name of the client.' }) },
      'client',
    ),
    by_region: rowsOf({ region: Type.String({ description: 'City of the venues.' }) }, 'region'),
    by_daypart: rowsOf(
      { daypart: Type.String({ description: 'morning, midday, afternoon, evening or night at the venue.' }) },
      'daypart',
    ),
    by_campaign: rowsOf(
      {
        campaign_id: idField('cmp_...'),
        campaign_name: Type.String({ description: 'Name of the campaign.' }),
        client_id: idField('ws_...'),
      },
      'campaign',
    ),
  },
  { title: 'AgencyReport', description: 'What an agency and its clients were charged and given.' },
);
