/** Conventional Commits. `.githooks/commit-msg` checks each message; `npx commitlint --last` checks the last one. */
export default { extends: ['@commitlint/config-conventional'] }
