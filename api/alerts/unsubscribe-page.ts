/**
 * The page behind the link in each mail. Opening it changes nothing, because mail scanners open links; its button, or
 * the button of a mail program (RFC 8058), sends the POST that ends the alerts.
 */
export const UNSUBSCRIBE_POLICY = "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const page = (title: string, body: string): string => `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title></head>
<body>${body}</body>
</html>
`;

export const CONFIRM_PAGE = page(
  'Stop alerts · Meldungen beenden',
  `<h1>Stop alerts</h1>
<p>Stop all mails about this workspace?</p>
<h1 lang="de">Meldungen beenden</h1>
<p lang="de">Alle Mails über diesen Arbeitsbereich beenden?</p>
<form method="post"><button>Stop · <span lang="de">Beenden</span></button></form>`,
);

export const DONE_PAGE = page(
  'Alerts stopped · Meldungen beendet',
  `<h1>Alerts stopped</h1>
<p>You get no more mails about this workspace. You can choose alerts again under “Your account” in the console.</p>
<h1 lang="de">Meldungen beendet</h1>
<p lang="de">Sie bekommen keine Mails über diesen Arbeitsbereich mehr. Unter „Konto“ in der Konsole können Sie wieder Meldungen wählen.</p>`,
);
