import { waitsSuite } from "@leadloom/testkit/suite/conversation/WaitsSuite"
import { temporaryPostgres } from "../TemporaryPostgres.ts"
import { temporaryStore } from "../TemporaryStore.ts"

waitsSuite("SQLite", temporaryStore)
waitsSuite("Postgres", temporaryPostgres)
