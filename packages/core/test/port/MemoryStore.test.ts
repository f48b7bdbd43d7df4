import { layer as memory } from "@leadloom/core/port/MemoryStore"
import { storeSuite } from "@leadloom/testkit/port/StoreSuite"

storeSuite("memory", memory)
