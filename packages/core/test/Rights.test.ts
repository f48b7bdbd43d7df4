import { shapeSuite } from "@leadloom/testkit/suite/privacy/ShapeSuite"
import { layer as memory } from "@leadloom/core/memory/MemoryStore"
import { rightsMergeSuite } from "@leadloom/testkit/suite/privacy/RightsMergeSuite"
import { journeySuite, rightsSuite } from "@leadloom/testkit/suite/privacy/RightsSuite"

rightsSuite("memory", memory)
rightsMergeSuite("memory", memory)
journeySuite("memory", memory, memory)
shapeSuite("memory", memory)
