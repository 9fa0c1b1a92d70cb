"""Suggested rules: what a table says about itself, column by column and in pairs, each with its evidence.

Nothing here is applied: a suggestion is text for somebody to read, keep or delete.
"""
