"""Sec. 3: PLAF, the constraint language. Text ▶ Program ▶ CheckedProgram, and back to text."""
