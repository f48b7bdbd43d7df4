import { twinSuite } from "@leadloom/testkit/suite/store/TwinSuite"
import { temporaryStore } from "./TemporaryStore.ts"

twinSuite("SQLite", temporaryStore)
