import { layer as memory } from "@leadloom/core/port/MemoryStore"
import { numbersSuite } from "@leadloom/testkit/workflow/NumbersSuite"

numbersSuite("memory", memory)
