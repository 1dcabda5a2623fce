"""What changed and why. (The next issue builds this room.)"""
