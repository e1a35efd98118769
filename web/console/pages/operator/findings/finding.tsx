/** One finding: owner and time, measured values next to the limits of the rule, and the operator's decision. */
import type { AnswerOf, OperationOf } from '@marquee/sdk';
import { Link, useParams } from '@tanstack/react-router';
import { useState, type ReactElement, type ReactNode } from 'react';
import { useRead } from '../../../api/api.ts';
import { useMayWrite } from '../../../api/session.ts';
import { count, moment, money } from '../../../text/format.ts';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Card, Page } from '../../../ui/page.tsx';
import { Answered } from '../../../ui/states.tsx';
import { Status } from '../../../ui/status.tsx';
import { screenName } from '../../venue/screen-name.ts';
import { DecisionDialog, type Decision } from './decision-dialog.tsx';
import { ruleFigure, ruleText, ruleTitle } from './rule.ts';

type Shown = AnswerOf<OperationOf<'/v1/operator/findings/{id}', 'get'>>;

export function Finding(): ReactElement {
  const { id } = useParams({ from: '/findings/$id' });
  const finding = useRead(['finding', id], (api, signal) =>
    api.get('/v1/operator/findings/{id}', { path: { id }, signal }),
  );
  const mayDecide = useMayWrite('findings') && finding.data?.status === 'open';
  const all = <Link to="/findings">{t('findings.all')}</Link>;
  return (
    <Page
      title={finding.data ? ruleTitle(finding.data.rule) : t('findings.one')}
      lead={
        <span className="row">
          {finding.data && <Status of={finding.data.status} group="findingStatus" />}
          <span className="breaks">{finding.data?.venue.name}</span>
          {all}
        </span>
      }
      actions={mayDecide && <Actions id={id} />}
    >
      <Answered of={finding} lines={8} list={all}>
        {one => (
          <>
            <Reading finding={one} />
            <div className="cards">
              <About finding={one} />
              <Figures title={t('findings.evidence')} figures={one.evidence} />
              {one.thresholds && <Figures title={t('findings.thresholds')} note={one.rule} figures={one.thresholds} />}
              <TakenOut taken={one.taken_out} />
            </div>
          </>
        )}
      </Answered>
    </Page>
  );
}

function Actions({ id }: { id: string }): ReactElement {
  const [decision, setDecision] = useState<Decision>();
  return (
    <>
      <Button onClick={() => setDecision('clear')}>{t('findings.clear')}</Button>
      <Button kind="danger" onClick={() => setDecision('uphold')}>
        {t('findings.uphold')}
      </Button>
      {decision && <DecisionDialog id={id} decision={decision} onClose={() => setDecision(undefined)} />}
    </>
  );
}

/** How to read the values: the subject of the rule, and possible honest reasons. */
function Reading({ finding: { rule, looks_at: looksAt, status } }: { finding: Shown }): ReactElement {
  const honest = ruleText('ruleHonest', rule);
  return (
    <div className="stack">
      <p>{ruleText('ruleLooksAt', rule) ?? looksAt}</p>
      {status === 'open' && honest !== undefined && (
        <p className="notice is-wait">{t('findings.honest', { reason: honest })}</p>
      )}
    </div>
  );
}

function About({ finding }: { finding: Shown }): ReactElement {
  const { workspace, venue, screen, from, to, holds, raised_at: raised, seen_at: seen, decided_at: decided } = finding;
  const facts: [string, ReactNode][] = [
    [t('frame.workspace'), workspace.name],
    [t('findings.venue'), venue.name],
    [
      t('findings.screen'),
      screen ? (
        <Link to="/network/$id" params={{ id: screen.id }}>
          {screenName(screen)}
        </Link>
      ) : (
        t('findings.wholeVenue')
      ),
    ],
    [t('findings.time'), `${moment(from)} – ${moment(to)}`],
    [t('findings.holds'), holds.map(money).join(', ') || t('findings.nothing')],
    [t('findings.raised'), moment(raised)],
    [t('findings.seen'), moment(seen)],
    [t('findings.decided'), decided && moment(decided)],
    [t('findings.note'), finding.note],
  ];
  return (
    <Card title={t('findings.about')}>
      <dl className="facts">
        {facts
          .filter(([, value]) => value !== null)
          .map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </Card>
  );
}

type FiguresOptions = { title: string; note?: string; figures: Readonly<Record<string, number>> };

function Figures({ title, note, figures }: FiguresOptions): ReactElement {
  return (
    <Card title={title} note={note}>
      <dl className="facts is-figures">
        {Object.entries(figures).map(([name, figure]) => {
          const { label, value } = ruleFigure(name, figure);
          return (
            <div key={name}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          );
        })}
      </dl>
    </Card>
  );
}

function TakenOut({ taken }: { taken: Shown['taken_out'] }): ReactElement | null {
  if (taken.length === 0) return null;
  return (
    <Card title={t('findings.takenOut')}>
      <ul className="stack">
        {taken.map(({ plays, charged, credited, reversed }) => (
          <li key={charged.currency}>
            {t('findings.takenOutOf', {
              plays: count(plays),
              charged: money(charged),
              credited: money(credited),
              reversed: money(reversed),
            })}
          </li>
        ))}
      </ul>
    </Card>
  );
}
