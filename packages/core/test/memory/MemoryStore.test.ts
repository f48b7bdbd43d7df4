import { layer as memory } from "@leadloom/core/memory/MemoryStore"
import { storeSuite } from "@leadloom/testkit/suite/store/StoreSuite"

storeSuite("memory", memory)
