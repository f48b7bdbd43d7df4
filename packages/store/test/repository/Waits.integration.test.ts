import { waitsSuite } from "@leadloom/testkit/suite/conversation/WaitsSuite"
import * as Store from "../../src/Store.ts"
import { temporaryPostgres } from "../TemporaryPostgres.ts"

waitsSuite("SQLite", Store.layer({ url: "sqlite::memory:" }))
waitsSuite("Postgres", temporaryPostgres)
