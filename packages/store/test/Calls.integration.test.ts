import { assistantsSuite, callsSuite } from "@leadloom/testkit/port/CallsSuite"
import { assistantSuite } from "@leadloom/testkit/workflow/AssistantSuite"
import { callSuite } from "@leadloom/testkit/workflow/CallSuite"
import { silentCallSuite } from "@leadloom/testkit/workflow/SilentCallSuite"
import { temporaryPostgres } from "./TemporaryPostgres.ts"
import { temporaryStore } from "./TemporaryStore.ts"

for (const [name, store] of [
  ["SQLite", temporaryStore],
  ["Postgres", temporaryPostgres]
] as const) {
  callsSuite(name, store)
  assistantsSuite(name, store)
  assistantSuite(name, store)
  callSuite(name, store)
  silentCallSuite(name, store)
}
