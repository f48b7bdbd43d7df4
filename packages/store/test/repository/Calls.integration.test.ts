import { assistantsSuite, callsSuite } from "@leadloom/testkit/suite/call/CallsSuite"
import { assistantSuite } from "@leadloom/testkit/suite/intake/AssistantSuite"
import { callSuite } from "@leadloom/testkit/suite/call/CallSuite"
import { silentCallSuite } from "@leadloom/testkit/suite/call/SilentCallSuite"
import { temporaryPostgres } from "../TemporaryPostgres.ts"
import { temporaryStore } from "../TemporaryStore.ts"

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
