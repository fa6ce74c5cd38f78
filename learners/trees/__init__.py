"""Tree learners, one file each: C4.5, J48, C5.0, and trees and graphs of shortest message."""
