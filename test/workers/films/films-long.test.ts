/** Every film of the table: what screens play and what its poster shows is what Chromium shows of the film. */
import { checkFilms, describeFilms } from './film-check.ts';
import { FILMS } from './film-table.ts';

await describeFilms(() => checkFilms(FILMS));
