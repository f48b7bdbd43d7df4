import { numbersSuite } from "@leadloom/testkit/suite/sending/NumberBlocksSuite"
import { mergedTextsSuite } from "@leadloom/testkit/suite/contact/MergedTextsSuite"
import { reopenSuite } from "@leadloom/testkit/suite/lead/ReopenSuite"
import { sentTextsSuite } from "@leadloom/testkit/suite/sending/SentTextsSuite"
import { textsSuite } from "@leadloom/testkit/suite/sending/TextsSuite"
import { undeliverableSuite } from "@leadloom/testkit/suite/sending/UndeliverableSuite"
import * as Store from "../../src/Store.ts"
import { temporaryPostgres } from "../TemporaryPostgres.ts"

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
