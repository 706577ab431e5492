"""Lanes: one worker for the model, one for files; each owned, cancelled and waited for at exit."""

from app.work.garbage import GarbageCollector
from app.work.job import Job, JobContext, JobState, error_text
from app.work.lanes import Lane
from app.work.stall import Stall, StallMeter

__all__ = ["GarbageCollector", "Job", "JobContext", "JobState", "Lane", "Stall", "StallMeter", "error_text"]
