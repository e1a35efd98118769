/**
 * The routes of alerts: what a person chose for a workspace, and the link that ends it. The token in the link is sealed
 * by this installation and names one choice, so it can be neither guessed nor changed into another one.
 */
import { Type } from 'typebox';
import { ALERT_KINDS, mayBeAlerted, NO_ALERTS, parseAlertSettings, type AlertSettings } from '#domain/alerts/alert.ts';
import { decimalFromMicros, microsFromDecimal } from '#domain/money/money.ts';
import { parseId } from '#domain/id.ts';
import { isRefusal, refuse, refuseFields, type Refusal } from '#domain/refusal.ts';
import { UNSUBSCRIBE_PURPOSE, type Sealer } from '#runtime/cryptography/sealed.ts';
import { readChoice, turnOff, writeChoice, type ChoiceHandle } from '#sql/alerts/choices.ts';
import { listOwnCampaigns } from '#sql/alerts/weekly-reports.ts';
import type { Mailer } from '#runtime/mail/mailer.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Principal } from '../authentication/principal.ts';
import type { Api } from '../wire/fastify.ts';
import { routeFor, type CallDependencies } from '../http/route.ts';
import { refuseUnknownPath } from '../wire/refusals.ts';
import { sendRefusal } from '../wire/reply.ts';
import { AlertsRecord, ReplaceAlertsBody, type Alerts } from './schema.ts';
import { CONFIRM_PAGE, DONE_PAGE, UNSUBSCRIBE_POLICY } from './unsubscribe-page.ts';

type Dependencies = CallDependencies & { mailer?: Mailer };
const route = routeFor<Dependencies>();

export const alertRoutes = [
  route({
    method: 'GET',
    path: '/me/alerts',
    access: { resource: 'alerts', verb: 'read' },
    mode: 'live',
    operationId: 'readAlerts',
    summary: 'Read which alerts the caller gets by mail',
    response: { 200: AlertsRecord },
    handle: async ({ principal }, dependencies) =>
      refuseMaker(principal) ??
      record(principal, (await readChoice(dependencies.sql, principal)) ?? NO_ALERTS, dependencies),
  }),

  route({
    method: 'PUT',
    path: '/me/alerts',
    access: { resource: 'alerts', verb: 'write' },
    mode: 'live',
    operationId: 'replaceAlerts',
    summary: 'Choose alerts by mail',
    description: 'Of the caller, for one workspace: an agency chooses for a client with `X-Workspace-Id`.',
    body: ReplaceAlertsBody,
    response: { 200: AlertsRecord },
    async handle({ principal, body: { wallet_below: below, ...body } }, dependencies) {
      const refusal = refuseMaker(principal);
      if (refusal) return refusal;
      const micros = microsFromDecimal(below, principal.currency, '', 'wallet_below');
      if (isRefusal(micros)) return micros;
      const { report_campaigns = null, ...chosen } = body;
      const settings = parseAlertSettings({ ...chosen, report_campaigns, wallet_below_micros: micros }, principal);
      if (isRefusal(settings)) return settings;
      const unknown = await refuseUnknown(dependencies, principal, report_campaigns ?? []);
      if (unknown) return unknown;
      const { person, workspace, surface } = principal;
      await writeChoice(dependencies.sql, { person, workspace, surface, settings, now: new Date(dependencies.now()) });
      return record(principal, settings, dependencies);
    },
  }),
];

/** Each campaign of a report must be one of the workspace. */
async function refuseUnknown(
  { sql }: { sql: Postgres },
  { workspace }: Principal,
  ids: readonly string[],
): Promise<Refusal | undefined> {
  const handles = ids.map(id => parseId('campaign', id));
  const known = new Set(
    await listOwnCampaigns(
      sql,
      workspace,
      handles.filter(handle => handle !== undefined),
    ),
  );
  const faults = handles.flatMap((handle, at) =>
    handle !== undefined && known.has(handle)
      ? []
      : [
          {
            pointer: `/report_campaigns/${at}`,
            code: 'unknown_campaign',
            detail: 'is not a campaign of this workspace',
          },
        ],
  );
  return faults.length === 0 ? undefined : refuseFields(faults);
}

function refuseMaker({ madeBy }: Principal): Refusal | undefined {
  return madeBy === null
    ? undefined
    : refuse('role_forbidden', 'This key was made by somebody else. Alerts are for their person alone.');
}

function record(
  { email, surface, role }: Principal,
  { wallet_below_micros: below, alerts, ...settings }: AlertSettings,
  { mailer }: { mailer?: Mailer },
): Alerts {
  const readable = ALERT_KINDS.filter(kind => mayBeAlerted(surface, role, kind));
  return {
    ...settings,
    wallet_below: decimalFromMicros(below),
    alerts: Object.fromEntries(readable.map(kind => [kind, alerts[kind]])),
    email,
    sends_mail: mailer !== undefined,
  };
}

/** A sealed handle is shorter. */
const TOKEN_LENGTH_MAX = 100;
/** A mail program posts one short field without further information. */
const BODY_BYTES_MAX = 1_000;

/** The link in each mail. Its holder can end the alerts that it names, and nothing else. */
export function unsubscribeRoutes(app: Api, dependencies: Dependencies): void {
  void app.register(async plugin => {
    const open = plugin as Api;
    open.removeAllContentTypeParsers();
    open.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null));
    const { sql, sealer, now } = dependencies;
    const options = { config: { access: 'public' } as const, bodyLimit: BODY_BYTES_MAX };
    const params = Type.Object({
      token: Type.String({ maxLength: TOKEN_LENGTH_MAX, description: 'The token of the link.' }),
    });
    open.get(
      '/unsubscribe/:token',
      {
        ...options,
        schema: { params, operationId: 'showUnsubscribePage', summary: 'The page that ends alerts by mail' },
      },
      async (request, reply) =>
        choiceOf(sealer, request.params.token) === undefined
          ? sendRefusal(reply, refuseUnknownPath(request))
          : reply
              .header('content-security-policy', UNSUBSCRIBE_POLICY)
              .type('text/html; charset=utf-8')
              .send(CONFIRM_PAGE),
    );
    open.post(
      '/unsubscribe/:token',
      { ...options, schema: { params, operationId: 'unsubscribe', summary: 'End alerts by mail (RFC 8058)' } },
      async (request, reply) => {
        const choice = choiceOf(sealer, request.params.token);
        if (choice === undefined) return sendRefusal(reply, refuseUnknownPath(request));
        await turnOff(sql, choice, new Date(now()));
        return reply.type('text/html; charset=utf-8').send(DONE_PAGE);
      },
    );
  });
}

function choiceOf(sealer: Sealer, token: string): ChoiceHandle | undefined {
  try {
    return Number(sealer.open(Buffer.from(token, 'base64url'), UNSUBSCRIBE_PURPOSE)) as ChoiceHandle;
  } catch {
    return undefined; // it was not sealed here
  }
}
