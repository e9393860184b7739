"""A checker's source → its problem, instances and certified truth; runs in the sandbox."""

SERVICE = "quizzer.checker.service"
"""The module that a sandboxed process serves for us: see `sandbox.service`."""
