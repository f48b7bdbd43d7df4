import { layer as memory } from "@leadloom/core/port/MemoryStore"
import { journeySuite, rightsSuite } from "@leadloom/testkit/workflow/RightsSuite"

rightsSuite("memory", memory)
journeySuite("memory", memory, memory)
