/**
 * node scripts/check-prose.mjs [FILE…]: finds words and phrases that newcomers stumble over, in code, comments, docs, interface text and test titles. Prints
 * each place with a better word. Exits with 1 if it finds any.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Returns a pattern that matches only in comments. */
const commented = ({ source, flags }) => new RegExp(`(?:^\\s*\\*|\\/\\/|\\/\\*\\*) .*?${source}`, flags)

/** Each rule has a pattern, a reason with suggested wording, and optionally a pattern for correct uses. */
const rules = [
  [/\bdesks?\b/i, 'a private name for the admin area; write "admin"'],
  [/\bdeeds?\b/i, 'a private name for an admin action; write "action" or "change"'],
  [/\bstrangers?\b/i, 'a metaphor; write "unauthenticated request", or name the role'],
  [/\bpassbook\b/i, 'a metaphor; write "statement" or "ledger"'],
  [/\bwho(?:so)?ever\b/i, 'defines by a clause; write "anyone who", or name the role'],
  [/\banew\b/i, 'dated; write "again"'],
  [/\bbeside\b/i, 'dated; write "next to" or "besides"'],
  [/\b(?:told|tells of)\b/i, 'vague; write "notified", "returned", "printed" or "shown"', /SELECT told AS/],
  [/\b(?:hear|hears|heard)\b/i, 'a metaphor; write "receive" or "is notified"'],
  [
    /\bletters?\b/i,
    'a private name for an email; write "email", or "character" for text',
    /\bletters?(?:,| and| or|\)| of the alphabet| case|-)|(?:capital|small|upper-?case|lower-?case|single|block|first|one|drive|\d+|Latin|accented|ASCII|by) letters?\b|dead[- ]letters?|digits? (?:and|or) letters?/i,
  ],
  [/\bof (?:its|their|his|our) own\b/i, 'stilted; write "separate" or "its own …"'],
  [/\bcomes? to (?:be )?(?:the|a|an|more|less|zero|\d)/i, 'stilted; write "equals" or "is"'],
  [/\bmost(?!Beneficial)[A-Z]\w*/, 'a private prefix; write "max…"'],
  [/\b[a-z]\w*WithinMs\b/, 'a private suffix; write "…TimeoutMs"'],
  [/\/\*\* (?:What|How|Whether|Where|Who|That)\b/, 'a doc comment starts with a verb or a noun: "Returns …", "Row of …"'],
  [/\bmust end (?:at|there)\b/, 'vague; write "must match …" or "must lead to …"'],
  [/\bKnown: /, 'says nothing about validity; write "Valid fields:", "Valid scopes:" …'],
  [/\bhundredths of a per ?cent\b/i, 'not the field\'s term; write "basis points"'],
  [/\btime (?:for|in) which\b/i, 'a clause instead of a noun; write "lifetime", "grace period", "time limit" or "maximum age"'],
  [/\bpayment facts\b/i, 'a private name; write "payment details"'],
  [/\ba text(?= (?:is|was|has|that|in|to|as|with|and|into|must)\b|[.,;:])/i, 'not countable; write "string", "document", "source code" or "message"'],
  [commented(/\btexts\b/), 'not countable; write "strings", "documents" or "contents"', /(?:licence|error)[ -]texts|whose texts/],
  [commented(/\bfault(?:s|y)?\b/i), 'vague; write "error", "validation error" or "reason", and "invalid line"', /`[^`]*`/],
  [/\b(?:still|no longer|not) wanted\b/, 'unidiomatic; write "needed"', /It was not wanted any more/],
  [/, as when\b/, 'unidiomatic; write "for example if"'],
  [/\bin the order of the (?:contract|API|sidebar)\b/, 'clumsy; write "in contract order", "in API order" …'],
  [/\b(?:quality|service) board\b/, 'a private name; write "data-quality page" or "service page"'],
  [/\bif (?:that|this|it) is impossible\b/i, 'stiff; write "if that is not possible"'],
  [/\bonce in each\b/, 'unidiomatic; write "once per"'],
  [
    /\bswitch(?:ed|es|ing)?(?: \w+){0,3} (?:on|off)\b/i,
    'two words for one thing; webhooks and endpoints are "enabled" and "disabled", settings are "turned on" and "turned off"',
    /(?:will be|is) switched off/,
  ],
  [/\bend(?:s|ed|ing)? (?:its|their|the) keys\b/, 'keys have one term; write "revoke"'],
  [/\bre-?sen(?:d|ds|t|ding) (?:\w+ ){0,2}deliver(?:y|ies)\b/i, 'webhooks have one term; write "redeliver"'],
  [/\brefused (?:calls?|requests?)\b|[(,] ?['"`]refuses (?!to\b)/i, 'requests and input have one term; write "reject"'],
]

/** Files whose text is stored data, history or a published legal version. */
const skipped =
  /^(?:tests\/(?:pins|releases)\/|prisma\/(?:migrations|seed)\/|package-lock\.json|scripts\/check-prose\.mjs|content\/guides\/licence-|server\/market\/data\/)|\.(?:png|woff2|gz|ico|pdf|ndjson|csv)$/

const asked = process.argv.slice(2)
const files = asked.length > 0 ? asked : execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8', maxBuffer: 50_000_000 }).split('\n')
const found = []
for (const file of files) {
  if (file === '' || skipped.test(file)) continue
  for (const [index, line] of readFileSync(`${root}/${file}`, 'utf8').split('\n').entries())
    for (const [pattern, advice, exception] of rules) {
      const match = pattern.exec(exception ? line.replace(new RegExp(exception, 'gi'), '') : line)
      if (match) found.push(`${file}:${index + 1}: "${match[0]}": ${advice}`)
    }
}
if (found.length > 0) {
  console.error(`${found.join('\n')}\n\n${found.length} ${found.length === 1 ? 'place' : 'places'} to rewrite in plain English.`)
  process.exitCode = 1
}
