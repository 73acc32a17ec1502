/** Conventional Commits. `.githooks/commit-msg` checks each message; `npm run check:commits` checks the last one. */
export default { extends: ['@commitlint/config-conventional'] }
