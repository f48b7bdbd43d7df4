import { shapeSuite } from "@leadloom/testkit/workflow/ShapeSuite"
import { layer as memory } from "@leadloom/core/port/MemoryStore"
import { rightsMergeSuite } from "@leadloom/testkit/workflow/RightsMergeSuite"
import { journeySuite, rightsSuite } from "@leadloom/testkit/workflow/RightsSuite"

rightsSuite("memory", memory)
rightsMergeSuite("memory", memory)
journeySuite("memory", memory, memory)
shapeSuite("memory", memory)
