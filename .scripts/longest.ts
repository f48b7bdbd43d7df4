/**
 * The slowest test files, slowest first. They start first, because a slow file at the end of a run leaves the other
 * cores idle. Unlisted files start later.
 */
export const longest: ReadonlyArray<string> = [
  "store/test/Postgres.integration.test.ts",
  ".scripts/test/Bench.test.ts",
  "store/test/Privacy.integration.test.ts",
  ".scripts/test/Libraries.test.ts",
  "store/test/Workflow.integration.test.ts",
  "server/test/main.test.ts",
  "server/test/mail/Import.corpus.test.ts",
  "connectors/test/parse/PooledParser.test.ts",
  "server/test/pipeline/PoisonCrash.test.ts",
  "store/test/admin/Copy.integration.test.ts",
  "cli/test/day/Day.test.ts",
  "api/test/EventData.test.ts",
  ".scripts/test/Pack.test.ts",
  "server/test/access/Permissions.test.ts",
  "server/test/mail/Sending.test.ts",
  "server/test/DatabaseOutage.test.ts",
  "store/test/unit/Deadline.integration.test.ts",
  "server/test/mail/MailIntake.test.ts",
  "store/test/admin/CopyKilled.integration.test.ts",
  "cli/test/HowTo.test.ts",
  "server/test/mail/Drafts.test.ts",
  "server/test/admin/SameAnswers.test.ts",
  "server/test/http/Fuzz.test.ts",
  "server/test/http/conversation/SendMessage.test.ts",
  "server/test/http/Envelope.test.ts",
  "server/test/http/access/RateLimit.test.ts",
  "server/test/Crash.test.ts"
]
