/** The frame of every page: the navigation, the workspace, and the person's own choices. */
import { Link, Outlet, useLocation, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState, type ReactElement, type RefObject } from 'react';
import { useModeSwitch, usePlaceChange, useSession } from '../api/session.ts';
import { t, term } from '../text/text.ts';
import { Icon, Mark } from '../ui/icon.tsx';
import { Toasts } from '../ui/feedback/toasts.tsx';
import { EmptyState } from '../ui/states.tsx';
import { isLiveOnly, mayOpen, navigationOf } from './navigation.ts';
import { Preferences } from '../preferences/preferences.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { useLanguage } from '../preferences/language.ts';

const NavigationDrawer = lazy(() => import('./navigation-drawer.tsx'));

export function Frame(): ReactElement {
  const { language } = useLanguage();
  const main = useMainFocus();
  return (
    <div className="frame" key={language}>
      <header className="top-bar">
        <a className="skip-link" href="#main">
          {t('frame.skip')}
        </a>
        <NavigationButton />
        <Workspace />
        <Shortcuts />
        <Preferences />
        <SandboxStrip />
        <ClientStrip />
      </header>
      <aside className="side-bar" aria-label="Marquee">
        <Link to="/" className="brand">
          <Mark />
          <span>Marquee</span>
        </Link>
        <Navigation />
        <Account />
      </aside>
      <main id="main" tabIndex={-1} ref={main}>
        <Permitted />
      </main>
      <Toasts />
    </div>
  );
}

/** The page, for people who may read its content. The API would refuse the calls of others. */
function Permitted(): ReactElement {
  const session = useSession();
  const path = useRouterState({ select: ({ matches }) => matches.at(-1)?.fullPath ?? '/' });
  if (isLiveOnly(session, path)) {
    // A key has one mode: there is no sandbox to leave.
    const hint = session.me.key === null ? 'frame.liveOnlyHint' : 'frame.liveOnlyKeyHint';
    return <EmptyState title={t('frame.liveOnly')} hint={t(hint)} />;
  }
  if (mayOpen(session, path)) return <Outlet />;
  const { role, workspace } = session.me;
  const who = { role: term('role', role), kind: term('kind', workspace.kind) };
  return <EmptyState title={t('frame.forbidden')} hint={t('frame.forbiddenHint', who)} />;
}

/** Focus moves to the content of the next page: the used link may be gone, and the keyboard would start at the top. */
function useMainFocus(): RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
}

function Workspace(): ReactElement {
  const { me, client } = useSession();
  return (
    <div className="workspace">
      {me.key === null && client === undefined && me.workspaces.length > 1 ? (
        <WorkspaceChoice />
      ) : (
        <span className="workspace-name">{me.workspace.name}</span>
      )}
      <span className="muted small">{term('kind', me.workspace.kind)}</span>
    </div>
  );
}

/** Over every page of the sandbox, and in view while it is scrolled: what is done here is not live. */
function SandboxStrip(): ReactElement | null {
  if (useSession().me.mode === 'live') return null;
  return (
    <div className="sandbox-strip small">
      <strong>{t('frame.sandbox')}</strong>
      <span>{t('frame.sandboxHint')}</span>
      <ModeSwitch />
    </div>
  );
}

/** Over every page of a client: an agency spends the client's money here. */
function ClientStrip(): ReactElement | null {
  const { me, client, chooseClient } = useSession();
  const changePlace = usePlaceChange();
  if (client === undefined) return null;
  return (
    <div className="client-strip small">
      <strong>{me.workspace.name}</strong>
      <span>{t('frame.clientHint')}</span>
      <button type="button" className="text-button" onClick={() => changePlace('/', () => chooseClient(undefined))}>
        {t('frame.backToAgency')}
      </button>
    </div>
  );
}

function ModeSwitch(): ReactElement | null {
  const modeSwitch = useModeSwitch();
  if (!modeSwitch) return null;
  return (
    <button type="button" className="text-button" onClick={modeSwitch.act}>
      {t(modeSwitch.text)}
    </button>
  );
}

function WorkspaceChoice(): ReactElement {
  const { me, chooseWorkspace } = useSession();
  const changePlace = usePlaceChange();
  return (
    <select
      className="quiet-select workspace-name"
      aria-label={t('frame.workspace')}
      value={me.workspace.id}
      onChange={({ target: { value } }) => changePlace('/', () => chooseWorkspace(value))}
    >
      {me.workspaces.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

function Navigation(): ReactElement {
  const groups = navigationOf(useSession());
  return (
    <nav className="navigation" aria-label={t('frame.navigation')}>
      {groups.map(group => (
        <div key={group.text}>
          <h2>{t(group.text)}</h2>
          <ul>
            {group.items.map(({ to, text, icon }) => (
              <li key={to}>
                <Link to={to} activeProps={{ 'aria-current': 'page' }} activeOptions={{ exact: to === '/' }}>
                  <Icon name={icon} />
                  {t(text)}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** The signed-in person, the way to the sandbox, and signing out. */
function Account(): ReactElement {
  const { me, signOut } = useSession();
  return (
    <div className="account">
      {me.key === null ? (
        <Link to="/account" className="small">
          <strong>{me.person.name || me.person.email}</strong>
        </Link>
      ) : (
        <strong className="small">{me.person.name || me.person.email}</strong>
      )}
      <span className="muted small">
        {term('role', me.role)} · {term('access', me.access)}
      </span>
      <span className="row small">
        <a href="/docs/" target="_blank" rel="noreferrer">
          {t('account.documentation')}
        </a>
        {me.mode === 'live' && <ModeSwitch />}
        <button type="button" className="text-button" onClick={signOut}>
          {t('account.signOut')}
        </button>
      </span>
    </div>
  );
}

function NavigationButton(): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const { pathname } = useLocation();
  useEffect(() => setOpen(false), [pathname]);
  return (
    <>
      <button
        type="button"
        className="icon-button narrow-only"
        aria-label={t('frame.open')}
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        <Icon name="menu" />
      </button>
      {isOpen && (
        <Suspense>
          <NavigationDrawer onClose={() => setOpen(false)}>
            <Navigation />
            <Account />
          </NavigationDrawer>
        </Suspense>
      )}
    </>
  );
}
