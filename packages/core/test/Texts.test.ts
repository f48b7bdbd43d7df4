import { layer as memory } from "@leadloom/core/port/MemoryStore"
import { numbersSuite } from "@leadloom/testkit/workflow/NumbersSuite"
import { textsSuite } from "@leadloom/testkit/workflow/TextsSuite"

numbersSuite("memory", memory)
textsSuite("memory", memory)
