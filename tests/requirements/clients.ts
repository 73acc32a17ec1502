import type { Requirement } from './requirement.ts'

/** Client packages for callers. */
export const clients = {
  'clients/typescript-package': {
    source: 'SPEC What the service does',
    behaviour: 'The TypeScript client is packed as an ES module with types, provenance metadata and no dependencies, and uses no platform-specific APIs.',
  },
  'clients/browser': {
    source: 'SPEC What the service does',
    behaviour: "In a browser, the TypeScript client calls the API without a key, through the site's proxy, which adds the key.",
  },
  'clients/command-line': {
    source: 'SPEC What the service does',
    behaviour:
      'The command savings-rates of the TypeScript package calls every endpoint that returns JSON, prints tables, JSON, CSV and NDJSON, and has an exit code for each kind of failure.',
  },
  'clients/command-line-key': {
    source: 'SPEC What the service does',
    behaviour: 'The command savings-rates reads the key from the environment, or from a file that only the user can access, and never prints it.',
  },
  'clients/command-line-failures': {
    source: 'SPEC What the service does',
    behaviour: 'If a list fails, the command savings-rates prints the rows that were paid for, and how to continue without paying twice.',
  },
  'clients/live-keys-over-https': {
    source: 'SPEC What the service does',
    behaviour: 'The clients send live keys over HTTPS only, except to the local machine, unless plain HTTP is explicitly allowed.',
  },
  'clients/widget': {
    source: 'SPEC What the service does',
    behaviour:
      'The example program examples/widget.ts serves a table of rates without exposing the key to browsers, and visitors cannot make it spend more than one refresh costs.',
  },
  'clients/google-sheets': {
    source: 'SPEC What the service does',
    behaviour: 'The Google Sheets recipe writes a list to a sheet with the key in a header, and a refresh without changes is free.',
  },
  'clients/excel': {
    source: 'SPEC What the service does',
    behaviour: 'The request in the Excel recipe returns the columns as CSV, and is charged once if Excel repeats it.',
  },
  'clients/python-methods': {
    source: 'SPEC What the service does',
    behaviour: 'The Python client has a method for every launched operation, generated from the OpenAPI document.',
  },
  'clients/python-async': {
    source: 'SPEC What the service does',
    behaviour: 'The Python client has the same methods for asyncio, and makes calls concurrently.',
  },
  'clients/python-retries': {
    source: 'SPEC What the service does',
    behaviour: 'The Python client retries failed calls with the same idempotency key, and waits for the time given in Retry-After.',
  },
  'clients/python-pagination': {
    source: 'SPEC What the service does',
    behaviour: 'The Python client iterates over all pages of a list, and never spends more than the given number of credits.',
  },
  'clients/python-cache': {
    source: 'SPEC What the service does',
    behaviour: 'With an ETag cache, the Python client pays nothing for data that has not changed.',
  },
  'clients/python-webhooks': {
    source: 'SPEC What the service does',
    behaviour: 'The Python client verifies the signature and the age of webhook deliveries.',
  },
  'clients/python-types': {
    source: 'SPEC What the service does',
    behaviour: 'The Python client and its tests pass a type checker in strict mode.',
  },
  'clients/listen': {
    source: 'SPEC Events',
    behaviour:
      "savings-rates listen forwards the events sent to the key's endpoints, and example events, to a local server at no charge, with signatures that pass webhook verification.",
  },
  'clients/listen-survives-outages': {
    source: 'SPEC Events',
    behaviour:
      'listen retries after network failures with increasing, capped delays, loses no event, and exits if the key is rejected or the outage lasts an hour.',
  },
  'clients/listen-within-limits': {
    source: 'SPEC Limits',
    behaviour: 'With its defaults, listen stays within the limits of a key, waits if it reaches one, and stops when little of the daily quota is left.',
  },
  'clients/listen-late-events': {
    source: 'SPEC Events',
    behaviour: 'listen forwards events of a paused endpoint, even if they are sent after many newer ones.',
  },
  'clients/listen-stops': { source: 'SPEC Events', behaviour: 'Ctrl+C ends savings-rates listen with the number of forwarded events and exit code 0.' },
} as const satisfies Record<string, Requirement>
