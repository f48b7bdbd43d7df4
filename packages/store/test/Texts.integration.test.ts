import { numbersSuite } from "@leadloom/testkit/workflow/NumbersSuite"
import * as Store from "../src/Store.ts"
import { temporaryPostgres } from "./TemporaryPostgres.ts"

const sqlite = Store.layer({ url: "sqlite::memory:" })

numbersSuite("SQLite", sqlite)
numbersSuite("Postgres", temporaryPostgres)
