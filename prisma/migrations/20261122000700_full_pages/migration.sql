-- Pages of hot rows are filled like any others. A row that is charged finds no room on a full page and moves to one with others that are charged; there every
-- update stays on its page, and PostgreSQL clears one page for many of them. On half-empty pages it stayed among neighbours that rest, and each call cleared a page for itself.
ALTER TABLE wallet RESET (fillfactor);
ALTER TABLE key_meter RESET (fillfactor);
