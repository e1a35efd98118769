/** The frame of the pages before the sign-in: the logo, one card, language and theme. */
import { useEffect, type ReactElement, type ReactNode } from 'react';
import { Preferences } from '../../preferences/preferences.tsx';
import { Mark } from '../../ui/icon.tsx';

export type SignInFrameOptions = { title: string; lead: ReactNode; children: ReactNode };

export function SignInFrame({ title, lead, children }: SignInFrameOptions): ReactElement {
  useEffect(() => {
    document.title = `${title} · Marquee`;
  }, [title]);
  return (
    <div className="sign-in">
      <main className="sign-in-card">
        <Mark />
        <h1>{title}</h1>
        <p className="muted">{lead}</p>
        {children}
      </main>
      <footer className="sign-in-foot">
        <Preferences />
      </footer>
    </div>
  );
}
