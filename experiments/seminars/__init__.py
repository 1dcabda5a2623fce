"""`make experiments-seminars`: seminar announcements with and without rules."""
