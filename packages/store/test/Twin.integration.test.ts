import { twinSuite } from "@leadloom/testkit/port/TwinSuite"
import { temporaryStore } from "./TemporaryStore.ts"

twinSuite("SQLite", temporaryStore)
