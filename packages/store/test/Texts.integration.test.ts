import { numbersSuite } from "@leadloom/testkit/workflow/NumbersSuite"
import { mergedTextsSuite } from "@leadloom/testkit/workflow/MergedTextsSuite"
import { reopenSuite } from "@leadloom/testkit/workflow/ReopenSuite"
import { sentTextsSuite } from "@leadloom/testkit/workflow/SentTextsSuite"
import { textsSuite } from "@leadloom/testkit/workflow/TextsSuite"
import { undeliverableSuite } from "@leadloom/testkit/workflow/UndeliverableSuite"
import * as Store from "../src/Store.ts"
import { temporaryPostgres } from "./TemporaryPostgres.ts"

const sqlite = Store.layer({ url: "sqlite::memory:" })

numbersSuite("SQLite", sqlite)
numbersSuite("Postgres", temporaryPostgres)
textsSuite("SQLite", sqlite)
textsSuite("Postgres", temporaryPostgres)
sentTextsSuite("SQLite", sqlite)
sentTextsSuite("Postgres", temporaryPostgres)
mergedTextsSuite("SQLite", sqlite)
mergedTextsSuite("Postgres", temporaryPostgres)
reopenSuite("SQLite", sqlite)
reopenSuite("Postgres", temporaryPostgres)
undeliverableSuite("SQLite", sqlite)
undeliverableSuite("Postgres", temporaryPostgres)
