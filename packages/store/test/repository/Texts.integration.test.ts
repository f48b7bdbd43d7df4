import { numbersSuite } from "@leadloom/testkit/suite/sending/NumberBlocksSuite"
import { mergedTextsSuite } from "@leadloom/testkit/suite/contact/MergedTextsSuite"
import { reopenSuite } from "@leadloom/testkit/suite/lead/ReopenSuite"
import { sentTextsSuite } from "@leadloom/testkit/suite/sending/SentTextsSuite"
import { textsSuite } from "@leadloom/testkit/suite/sending/TextsSuite"
import { undeliverableSuite } from "@leadloom/testkit/suite/sending/UndeliverableSuite"
import { temporaryPostgres } from "../TemporaryPostgres.ts"
import { temporaryStore } from "../TemporaryStore.ts"

numbersSuite("SQLite", temporaryStore)
numbersSuite("Postgres", temporaryPostgres)
textsSuite("SQLite", temporaryStore)
textsSuite("Postgres", temporaryPostgres)
sentTextsSuite("SQLite", temporaryStore)
sentTextsSuite("Postgres", temporaryPostgres)
mergedTextsSuite("SQLite", temporaryStore)
mergedTextsSuite("Postgres", temporaryPostgres)
reopenSuite("SQLite", temporaryStore)
reopenSuite("Postgres", temporaryPostgres)
undeliverableSuite("SQLite", temporaryStore)
undeliverableSuite("Postgres", temporaryPostgres)
